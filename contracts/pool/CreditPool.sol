// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.36;

import {IDepositPool} from "../lib/PoolInterfaces.sol";
import {CreditLoans} from "./CreditLoans.sol";
import {PoolShares} from "./PoolShares.sol";

/// @title CreditPool
/// @notice Deposits of lenders, lent to agents against pledged shares of the deposit pool.
contract CreditPool is CreditLoans {
    error LenderAssetCapExceeded(address lender, uint256 attempted, uint256 cap);

    string public constant name = "Service Agent Credit Pool Share";
    string public constant symbol = "SVCreditUSDC";
    uint256 public constant TOTAL_ASSET_CAP = 250_000_000;
    uint256 public constant PER_LENDER_CAP = 100_000_000;
    /// @notice What the service shows to a lender; it offers the pool only with this text.
    string public constant RISK_DISCLOSURE = "Pilot: principal is at risk. A default is a loss of lenders.";

    constructor(address asset_, address operator_, address depositPool_)
        PoolShares(asset_, operator_, depositPool_)
        CreditLoans(depositPool_)
    {}

    /// @notice Takes an amount of the caller and gives shares, rounded down, to the receiver.
    function deposit(uint256 assets, address receiver) external nonReentrant returns (uint256 shares) {
        if (assets == 0) revert ZeroAmount();
        if (receiver == address(0) || receiver == address(this)) revert ZeroAddress();
        _requireTotalCap(assets);
        shares = convertToShares(assets);
        uint256 value = _valueAfter(receiver, assets, shares);
        if (value > PER_LENDER_CAP) revert LenderAssetCapExceeded(receiver, value, PER_LENDER_CAP);
        if (shares == 0) revert ZeroShares();
        _mint(receiver, shares);
        _pullExactly(assets);
        emit Deposit(msg.sender, receiver, assets, shares);
    }

    function _totalAssetCap() internal pure override returns (uint256) {
        return TOTAL_ASSET_CAP;
    }
}
