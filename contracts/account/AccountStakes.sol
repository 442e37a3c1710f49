// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {AccountBase} from "./AccountBase.sol";

/// @notice The bond of a worker: stake and claim fee are locked together, then released or slashed.
abstract contract AccountStakes is AccountBase {
    event JobStakeLocked(address indexed account, address indexed asset, uint256 amount);
    event JobStakeReleased(address indexed account, address indexed asset, uint256 amount);
    event JobStakeSlashed(
        address indexed account, address indexed asset, uint256 amount, uint256 posterAmount, uint256 treasuryAmount
    );
    event ClaimFeeSlashed(
        address indexed account,
        address indexed asset,
        uint256 amount,
        address indexed verifierRecipient,
        uint256 verifierAmount,
        uint256 treasuryAmount
    );
    event TreasuryCredited(address indexed treasuryAccount, address indexed asset, uint256 amount);

    error TreasuryAccountUnset();

    /// @notice Locks a worker's bond; amount 0 does nothing.
    function lockJobStake(address account, address asset, uint256 amount)
        external
        onlyEscrow
        whenNotPaused
        onlySupportedAsset(asset)
    {
        if (amount == 0) return;
        _spend(account, asset, amount).jobStakeLocked += amount;
        emit JobStakeLocked(account, asset, amount);
    }

    /// @notice Gives a bond back; amount 0 does nothing.
    function releaseJobStake(address account, address asset, uint256 amount)
        external
        onlyEscrow
        whenNotPaused
        onlySupportedAsset(asset)
    {
        if (amount == 0) return;
        _takeStake(account, asset, amount).liquid += amount;
        emit JobStakeReleased(account, asset, amount);
    }

    /// @notice Slashes a stake: the floored half leaves to the poster's wallet, the rest goes to the treasury.
    function slashJobStake(address account, address asset, uint256 amount, address posterRecipient)
        external
        nonReentrant
        onlyEscrow
        whenNotPaused
        onlySupportedAsset(asset)
    {
        if (amount == 0) return;
        _takeStake(account, asset, amount);
        uint256 posterAmount = amount / 2;
        _creditTreasury(asset, amount - posterAmount);
        _payOut(account, asset, posterRecipient, posterAmount);
        emit JobStakeSlashed(account, asset, amount, posterAmount, amount - posterAmount);
    }

    /// @notice Slashes a claim fee: a policy share leaves to the verifier's wallet, the rest to the treasury.
    function slashClaimFee(address account, address asset, uint256 amount, address verifierRecipient)
        external
        nonReentrant
        onlyEscrow
        whenNotPaused
        onlySupportedAsset(asset)
    {
        if (amount == 0) return;
        _takeStake(account, asset, amount);
        uint256 verifierAmount = verifierRecipient == address(0) ? 0 : amount * policy.claimFeeVerifierBps() / 10_000;
        _creditTreasury(asset, amount - verifierAmount);
        _payOut(account, asset, verifierRecipient, verifierAmount);
        emit ClaimFeeSlashed(account, asset, amount, verifierRecipient, verifierAmount, amount - verifierAmount);
    }

    function _takeStake(address account, address asset, uint256 amount) private returns (Position storage position) {
        position = positions[account][asset];
        require(position.jobStakeLocked >= amount, "INSUFFICIENT_STAKE");
        position.jobStakeLocked -= amount;
    }

    function _creditTreasury(address asset, uint256 amount) private {
        if (amount == 0) return;
        address treasury = treasuryAccount;
        if (treasury == address(0)) revert TreasuryAccountUnset();
        positions[treasury][asset].liquid += amount;
        emit TreasuryCredited(treasury, asset, amount);
    }

    function _payOut(address account, address asset, address to, uint256 amount) private {
        if (amount == 0) return;
        policy.recordProtocolOutflow(account, amount);
        _push(asset, to, amount);
    }
}
