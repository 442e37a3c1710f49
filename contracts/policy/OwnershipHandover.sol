// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

/// @notice The call of the policy that the handover makes.
interface IOwnedPolicy {
    function transferOwnership(address newOwner) external;
}

/// @title OwnershipHandover
/// @notice Owns the policy between an owner that leaves and one that has not shown yet that it can act. The policy
///         itself moves its ownership in one step, so a wrong address would lose it. Holds no tokens.
contract OwnershipHandover {
    event OwnershipAccepted(address indexed newOwner);
    event OwnershipTakenBack(address indexed previousOwner);

    error Unauthorized();

    address public immutable policy;
    address public immutable previousOwner;
    address public immutable newOwner;

    constructor(address policy_, address newOwner_) {
        policy = policy_;
        previousOwner = msg.sender;
        newOwner = newOwner_;
    }

    /// @notice Takes the ownership; only the new owner calls it, and with that it has shown that it can act.
    function accept() external {
        if (msg.sender != newOwner) revert Unauthorized();
        IOwnedPolicy(policy).transferOwnership(newOwner);
        emit OwnershipAccepted(newOwner);
    }

    /// @notice Gives the ownership back, as long as the new owner has not taken it.
    function takeBack() external {
        if (msg.sender != previousOwner) revert Unauthorized();
        IOwnedPolicy(policy).transferOwnership(previousOwner);
        emit OwnershipTakenBack(previousOwner);
    }
}
