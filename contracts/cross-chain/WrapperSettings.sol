// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IPauser} from "../lib/CrossChainInterfaces.sol";
import {ITreasuryPolicy} from "../lib/Interfaces.sol";
import {ReentrancyLock} from "../lib/ReentrancyLock.sol";

/// @notice Who dispatches, for which adapters, to which account. Only a paused dispatch can be configured.
abstract contract WrapperSettings is ReentrancyLock {
    address public constant DEFAULT_XCM_PRECOMPILE = 0x00000000000000000000000000000000000a0000;

    event DispatchPauseUpdated(bool paused);
    event HydrationAccountUpdated(bytes32 indexed previousAccount, bytes32 indexed newAccount);
    event OperatorUpdated(address indexed previousOperator, address indexed newOperator);
    event StrategyAdapterUpdated(
        bytes32 indexed strategyId, address indexed previousAdapter, address indexed newAdapter
    );

    error InvalidConfiguration();
    error ProtocolPaused();
    error Unauthorized();

    ITreasuryPolicy public immutable policy;
    address public immutable xcmPrecompile;
    address public operator;
    /// @notice The account of this contract on the venue's chain.
    bytes32 public hydrationAccountId32;
    bool public dispatchPaused = true;
    mapping(bytes32 strategyId => address) public strategyAdapter;

    modifier onlyOwner() {
        if (msg.sender != policy.owner()) revert Unauthorized();
        _;
    }

    modifier whenConfigurable() {
        if (!dispatchPaused) revert InvalidConfiguration();
        _;
    }

    constructor(address policy_, address xcmPrecompile_) {
        if (policy_ == address(0)) revert InvalidConfiguration();
        policy = ITreasuryPolicy(policy_);
        xcmPrecompile = xcmPrecompile_ == address(0) ? DEFAULT_XCM_PRECOMPILE : xcmPrecompile_;
    }

    /// @notice Sets who dispatches legs.
    function setOperator(address newOperator) external onlyOwner whenConfigurable {
        if (newOperator == address(0)) revert InvalidConfiguration();
        emit OperatorUpdated(operator, newOperator);
        operator = newOperator;
    }

    /// @notice Sets the adapter that queues requests of a strategy; the zero address stops them.
    function setStrategyAdapter(bytes32 strategyId, address adapter) external onlyOwner whenConfigurable {
        if (strategyId == bytes32(0)) revert InvalidConfiguration();
        emit StrategyAdapterUpdated(strategyId, strategyAdapter[strategyId], adapter);
        strategyAdapter[strategyId] = adapter;
    }

    /// @notice Sets the account on the venue's chain, once.
    function setHydrationAccountId32(bytes32 accountId32) external onlyOwner whenConfigurable {
        if (accountId32 == bytes32(0) || hydrationAccountId32 != bytes32(0)) revert InvalidConfiguration();
        emit HydrationAccountUpdated(hydrationAccountId32, accountId32);
        hydrationAccountId32 = accountId32;
    }

    /// @notice Opens (owner) or closes (owner or pauser) the dispatch.
    function setDispatchPaused(bool paused_) external {
        bool allowed = msg.sender == policy.owner() || (paused_ && msg.sender == IPauser(address(policy)).pauser());
        if (!allowed) revert Unauthorized();
        if (!paused_ && (operator == address(0) || hydrationAccountId32 == bytes32(0))) revert InvalidConfiguration();
        dispatchPaused = paused_;
        emit DispatchPauseUpdated(paused_);
    }
}
